"""The page's files: `index.html`, `style.css` and the modules in `js/`."""
