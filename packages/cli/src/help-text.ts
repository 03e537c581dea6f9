/** What stands below the options in the help of each command. */

/** What the argument of that name may be. */
export const DATABASE = 'a path, an address such as postgres://host/database, or a name of askema.config.ts';

export const PROGRAM = `
Examples:
  askema ask shop.sqlite "Which five customers spent the most?"
  askema ask sales.parquet "How many orders are there?"
  askema check postgres://localhost/shop
  askema schema shop.sqlite --format mermaid
  askema lint shop.sqlite --file report.sql
  askema design library.md --out ./library
  askema models

DATABASE is the path of a SQLite or DuckDB database, of a Parquet, CSV or JSON file or a folder of them; an address
(sqlite:, duckdb:, postgres://, snowflake://, bigquery://); or a name of askema.config.ts.

Exit codes: 0 answered, 1 no answer or an error found, 2 wrong usage or input, 130 stopped by Ctrl-C.
Environment: ASKEMA_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, OLLAMA_HOST,
NO_COLOR, FORCE_COLOR, ASKEMA_DEBUG=1 for stack traces.
`;

export const ASK = `
Examples:
  askema ask shop.sqlite "How many orders were placed in May?"
  askema ask shop.sqlite "Revenue by month" --format csv > revenue.csv
  askema ask shop.sqlite "Who are our VIPs?" --evidence "a VIP spent more than 1000"
  askema ask shop.sqlite "Cities with no customer" --model ollama:qwen3 --trace
  askema ask shop.sqlite "Set the price of product 7 to 12.50" --write
  askema ask shop.sqlite "Which category sells best per region?" --flow refine

--flow refine explores the data, tries in several threads and puts their results to the vote: a hard question ends with an
answer that was checked, or with none. It takes about ten times the model calls.

The first of these is the model: --model, ASKEMA_MODEL, defaults.model of askema.config.ts, OPENAI_API_KEY,
ANTHROPIC_API_KEY, a local Ollama, and else the built-in reader of simple questions.
The schema, the question and, without --no-samples, a few values of each text column are sent to the model.
`;

export const SCHEMA = `
Examples:
  askema schema shop.sqlite
  askema schema shop.sqlite --format ddl > schema.sql
  askema schema shop.sqlite --format ddl --dialect postgres > schema.sql
  askema schema shop.sqlite --format mermaid --include "order*,customer"
  askema schema shop.sqlite --format svg > schema.svg
  askema schema shop.sqlite --check
  askema schema shop.sqlite --check --data --format json

--check only reads. Exit code 1 where a constraint that is declared does not hold, or cannot.
`;

export const CHECK = `
Examples:
  askema check shop.sqlite
  askema check postgres://localhost/shop
  askema check snowflake://myorg-myaccount/SALES/PUBLIC
  askema check bigquery://my-project/sales --include "sales.order*"
  askema check data/ --json

Nothing is changed: a SELECT 1 runs, the schema is read, and a DELETE that fits no row is only planned, never run.
Passwords and keys come from the environment, from files or from a question on the terminal, never from the address.
Exit codes: 0 fine, 1 it cannot be reached or a finding is an error, 2 no such database, a missing driver or wrong usage.
`;

export const LINT = `
Examples:
  askema lint shop.sqlite "SELECT name FROM customer WHERE city = 'london'"
  askema lint shop.sqlite --file report.sql --question "Customers of each city"
  askema lint shop.sqlite --file report.sql --fix > mended.sql
  askema lint shop.sqlite --file report.sql --severity redundant-join=off --format json

Nothing of the SQL runs. Cells are looked up where a condition compares with a text, and EXPLAIN comes last.
Exit code 1 where an error was found. Rules of your own and severities: \`lint\` in askema.config.ts.
`;

export const INDEX = `
Examples:
  askema index shop.sqlite
  askema index shop.sqlite --out shop.values --exclude "customer.mail" --max-values 100000
  askema lint shop.sqlite --value-index shop.sqlite.values.sqlite --file report.sql

Ctrl-C stops it; the same command goes on where it stopped. The file holds values of the database: keep it where that may be.
`;

export const MODELS = `
Examples:
  askema models
  ASKEMA_MODEL=ollama:qwen3 askema models --format json

Keys are never printed, only the names of the variables that hold them.
`;
