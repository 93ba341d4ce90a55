-- The role of the APIs, which may only read: its calls are counted apart from everybody else's.
\getenv password API_PASSWORD
CREATE ROLE loadlab_api LOGIN PASSWORD :'password';
