"""The open internet as footnote may look at it: pages, their names, who may be reached."""
