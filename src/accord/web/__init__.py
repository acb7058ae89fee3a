"""The web application: adjudication in the browser, for one person or many."""
