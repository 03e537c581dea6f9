import path from 'node:path';
import * as z from 'zod';
import type { Dataset } from '../read/dataset.ts';
import type { DatabaseOptions, DatasetFormatSpec, FoundDataset } from '../read/dataset-format.ts';
import { databaseName, findDatabaseIn } from '../read/find-database.ts';
import { collectQuestions } from '../read/question-collector.ts';
import { readRows } from '../read/read-rows.ts';
import { optionalWord, word } from '../read/row-forms.ts';

const row = z
  .object({
    db_id: databaseName,
    question: optionalWord,
    /** Spider-Syn has both; the question with synonyms is the one that is asked. */
    SpiderSynQuestion: optionalWord,
    query: word,
    /** The statement as a tree, where the release has it. */
    sql: z.unknown().optional(),
    difficulty: optionalWord,
    hardness: optionalWord,
  })
  .refine((value) => (value.SpiderSynQuestion ?? value.question) !== undefined, {
    path: ['question'],
    message: 'Invalid input: expected a text',
  });

/** Spider and what has its layout. */
export const spider: DatasetFormatSpec = {
  title: 'Spider, its test suites, Realistic, Syn, DK',
  layout:
    'dev.json or train_spider.json (db_id, question, query) and database/<db_id>/<db_id>.sqlite; or one such json',
  files: ['dev.json', 'train_spider.json', 'train_others.json', 'test.json', 'spider-realistic.json', 'Spider-DK.json'],
  load: loadSpider,
};

/**
 * Spider (Yu et al. 2018) and what has its layout: a JSON list of `db_id`, `question`, `query`, and
 * `database/<db_id>/<db_id>.sqlite` beside it or one folder up. Ids are made of the file's name and the place in the
 * list, from 0: `dev-17`. Other `*.sqlite` files in the folder of a database are its `variants`, as in the release of
 * the test suites (Zhong et al. 2020).
 */
async function loadSpider(found: FoundDataset, options: DatabaseOptions): Promise<Dataset> {
  const { root, file } = found;
  const folders = [root, path.dirname(root)].flatMap((folder) =>
    ['database', 'test_database', 'databases'].map((name) => path.join(folder, name)),
  );
  const findDatabase = findDatabaseIn({
    root: options.databaseFolder ?? root,
    folders: options.databaseFolder === undefined ? folders : [options.databaseFolder],
    layout: options.databaseFolder === undefined ? 'nested' : 'both',
    isElsewhere: options.databases === 'elsewhere',
    hasVariants: true,
    dialect: 'sqlite',
  });
  const collector = collectQuestions({ root, file, format: 'spider' }, findDatabase);
  const split = path.basename(file).split('.')[0] ?? 'row';
  for await (const entry of readRows(file)) {
    const read = collector.read(entry, row, 'question of Spider');
    if (read === undefined) continue;
    collector.add({
      id: `${split}-${entry.position}`,
      databaseId: read.db_id,
      question: read.SpiderSynQuestion ?? read.question ?? '',
      goldSql: [read.query],
      official: { benchmark: 'spider' },
      category: 'all',
      difficulty: read.difficulty ?? read.hardness ?? spiderHardness(read.sql) ?? 'unknown',
      orderMatters: ordersItsRows(read.query),
      features: [],
      line: entry.line,
    });
  }
  return collector.finish();
}

const OPENING = /['"`()]|\border\b/gi;

/** Whether a statement orders its own rows: it has ORDER BY outside of parentheses and quotes. */
function ordersItsRows(sql: string): boolean {
  let depth = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(sql); found !== null; found = OPENING.exec(sql)) {
    const [text] = found;
    if (text === '(') depth += 1;
    else if (text === ')') depth -= 1;
    else if (text.length === 1) {
      const close = sql.indexOf(text, OPENING.lastIndex);
      if (close === -1) return false;
      OPENING.lastIndex = close + 1;
    } else if (depth === 0 && /^\s+by\b/i.test(sql.slice(OPENING.lastIndex, OPENING.lastIndex + 40))) return true;
  }
  return false;
}

type SpiderHardness = 'easy' | 'medium' | 'hard' | 'extra';

const unit = z.array(z.unknown());
/** Units at even places, `and` or `or` between them. */
const condition = z.array(z.union([unit, z.string()]));
/** The tree of a statement as the releases of Spider have it in `sql`. */
const tree = z.object({
  select: z.tuple([z.unknown(), z.array(unit)]),
  from: z.object({ table_units: z.array(z.unknown()), conds: condition }),
  where: condition,
  groupBy: z.array(unit),
  having: condition,
  orderBy: z.union([z.tuple([z.unknown(), z.array(unit)]), z.array(z.unknown()).max(0)]),
  limit: z.unknown().optional(),
  intersect: z.unknown().optional(),
  union: z.unknown().optional(),
  except: z.unknown().optional(),
});

type Tree = z.infer<typeof tree>;

const LIKE = 9;

/**
 * How hard a statement is by Spider's own rule, from the tree that its releases carry; undefined for what is no such
 * tree. It counts clauses, joins, OR and LIKE (1), nested statements (2), and whether there are several aggregates,
 * columns, conditions and groups (3). The rule: https://github.com/taoyds/spider, evaluation.py, `eval_hardness`, with
 * what it counts by accident: all of HAVING, its `and` as well, are aggregates to it, and so are negated conditions.
 */
export function spiderHardness(value: unknown): SpiderHardness | undefined {
  const parsed = tree.safeParse(value);
  if (!parsed.success) return undefined;
  const clauses = countClauses(parsed.data);
  const nested = countNested(parsed.data);
  const several = countSeveral(parsed.data);
  if (nested === 0) {
    if (clauses <= 1 && several === 0) return 'easy';
    if ((clauses <= 1 && several <= 2) || (clauses <= 2 && several < 2)) return 'medium';
    if ((clauses <= 2 && several > 2) || (clauses === 3 && several <= 2)) return 'hard';
  }
  return clauses <= 1 && several === 0 && nested <= 1 ? 'hard' : 'extra';
}

function conditionsOf({ from, where, having }: Tree): Tree['where'] {
  return [from.conds, where, having].flatMap((part) => part.filter((_, at) => at % 2 === 0));
}

function countClauses(statement: Tree): number {
  const { from, where, having, groupBy, orderBy, limit } = statement;
  const clauses = [where.length > 0, groupBy.length > 0, orderBy.length > 0, limit !== null && limit !== undefined];
  const joins = Math.max(0, from.table_units.length - 1);
  const ors = [from.conds, where, having].flatMap((part) => part.filter((word, at) => at % 2 === 1 && word === 'or'));
  const likes = conditionsOf(statement).filter((entry) => entry[1] === LIKE);
  return clauses.filter(Boolean).length + joins + ors.length + likes.length;
}

function countNested(statement: Tree): number {
  const values = conditionsOf(statement).flatMap((entry) => [entry[3], entry[4]]);
  const isTree = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
  const { intersect, union, except } = statement;
  return (
    values.filter(isTree).length +
    [intersect, union, except].filter((part) => part !== null && part !== undefined).length
  );
}

function countSeveral({ select, where, groupBy, orderBy, having }: Tree): number {
  const ordered = orderBy.length === 2 ? (orderBy[1] as readonly (readonly unknown[])[]) : [];
  const sorted = ordered.flatMap((entry) => [entry[1], entry[2]].filter(Array.isArray));
  const units = [...select[1], ...where.filter((_, at) => at % 2 === 0), ...groupBy, ...sorted, ...having];
  // The first member is the number of the aggregate, 0 for none; of a condition it is whether it is negated.
  const aggregates = units.filter((entry) => entry[0] !== 0 && entry[0] !== false).length;
  return [aggregates > 1, select[1].length > 1, where.length > 1, groupBy.length > 1].filter(Boolean).length;
}
