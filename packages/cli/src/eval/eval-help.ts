/** What stands below the options in the help of `askema eval …`. */

export const EVAL = `
Examples:
  askema eval run ./questions --model lexical --out runs/lexical
  askema eval compare runs/lexical runs/openai --out compared.html
  askema eval report runs/lexical --out report.html

\`askema eval COMMAND --help\` has the options of each.
`;

export const EVAL_RUN = `
Examples:
  askema eval run ./questions --model lexical --out runs/lexical --report report.html
  askema eval run own.csv --database shop.sqlite --model openai --out runs/own
  askema eval run spider/dev.json --format spider --metric spider-exact-match --model openai --out runs/spider
  askema eval run ./questions --flow refine --preset paper --threads 3 --model openai --out runs/refine
  askema eval run ./questions --sample 30 --seed 7 --concurrency 4 --model openai --out runs/sample
  askema eval run ./questions --model openai --price-input 0.25 --price-output 2 --budget-usd 5 --out runs/cheap
  askema eval run ./questions --model openai --shard 1/3 --out runs/part-1
  askema eval run ./questions --database "postgres://localhost/{id}" --model openai --out runs/postgres

DATASET is a folder or a file; what it is, its files say, or --format does.
Ctrl-C stops it; the same command goes on where it stopped. Every finished question is one line of results.jsonl in --out.
Exit codes: 0 all questions have a result (right or not), 1 the budget ended it or every question failed, 2 wrong usage or input, 130 stopped.
`;

export const EVAL_COMPARE = `
Examples:
  askema eval compare runs/before runs/after
  askema eval compare runs/before runs/after --format markdown
  askema eval compare runs/before runs/after --out compared.html

Only questions that both runs have are compared, each with itself: McNemar's exact test, and a bootstrap interval of the difference.
`;

export const EVAL_REPORT = `
Examples:
  askema eval report runs/lexical
  askema eval report runs/lexical --out report.html
  askema eval report runs/lexical --format markdown > report.md

The page is one file: it opens offline and loads nothing. A run that is still going has a report as well.
`;

export const EVAL_SCORE = `
Examples:
  askema eval score ./questions predicted.jsonl
  askema eval score spider/dev.json predicted.sql --metric spider-exact-match
  askema eval score spider2-lite ./submission --metric spider2 --report score.html

No model is asked. PREDICTIONS is a file with a statement a line, JSON by id, JSONL or CSV of \`id\` and \`sql\`, or a folder with
ID.sql or ID.csv for each question, as benchmarks have them submitted.
`;

export const EVAL_MERGE = `
Examples:
  askema eval merge runs/part-1 runs/part-2 runs/part-3 --out runs/whole

The parts are runs of one dataset and one configuration, with --shard or with other questions each.
`;

export const EVAL_DESIGN = `
Examples:
  askema eval design ./requirements --model openai --out ./runs/agent
  askema eval design ./requirements --strategy one-shot --model openai --out ./runs/one-shot --scorer all
  askema eval design ./requirements --without reviewer,tests --ids r1,r2 --model openai --out ./runs/less

Ctrl-C stops it; the same command goes on where it stopped, in the middle of a design as well.
Every finished requirement is one line of DIR/results.jsonl, with its schema, transcript, usage and scores.
`;

export const EVAL_DESIGN_SCORE = `
Examples:
  askema eval design score ./requirements ./runs/agent --scorer all
  askema eval design score ./requirements --gold self
  askema eval design score ./requirements --gold other --scorer all --wordnet
`;
