-- Tokens (input and output) that a key may use of models in a calendar month; null for no bound.
ALTER TABLE api_key ADD COLUMN budget INTEGER;

-- Calls of models and their tokens, for each key, UTC day (counted since 1970) and endpoint.
CREATE TABLE usage (
  business_id TEXT NOT NULL,
  api_key_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  endpoint TEXT NOT NULL,
  calls INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  PRIMARY KEY (business_id, api_key_id, day, endpoint)
) STRICT, WITHOUT ROWID;
