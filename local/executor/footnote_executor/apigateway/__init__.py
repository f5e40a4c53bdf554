"""REST APIs: authorizers are asked, usage plans hold, refusals have an API's own words."""
