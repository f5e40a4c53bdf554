"""Reading all documents of a scope whole: lists, counts and summaries that need every one."""
