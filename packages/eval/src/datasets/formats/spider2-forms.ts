import * as z from 'zod';
import { databaseName } from '../find-database.ts';
import { optionalWord, word } from '../read/row-forms.ts';

export type Spider2Set = 'lite' | 'snow';

const plainId = databaseName;

/** A task; the two sets and the two layouts have other names for the same fields. */
export const spider2Task = z
  .object({
    instance_id: plainId,
    set: z.enum(['lite', 'snow']).optional(),
    db: databaseName.optional(),
    db_id: databaseName.optional(),
    question: optionalWord,
    instruction: optionalWord,
    external_knowledge: databaseName.nullish(),
    gold_id: plainId.optional(),
    gold_files: z.array(z.string()).optional(),
    condition_cols: z.unknown().optional(),
    ignore_order: z.unknown().optional(),
    temporal: z.unknown().optional(),
  })
  .transform((row, context) => {
    const question = row.question ?? row.instruction;
    const database = row.db ?? row.db_id;
    if (question === undefined) context.addIssue({ code: 'custom', path: ['question'], message: 'expected a text' });
    if (database === undefined) context.addIssue({ code: 'custom', path: ['db'], message: 'expected a name' });
    return {
      id: row.instance_id,
      set: row.set,
      question: question ?? '',
      database: database ?? '',
      document: row.external_knowledge ?? undefined,
      goldId: row.gold_id ?? row.instance_id,
      goldFiles: row.gold_files,
      row,
    };
  });

export type Spider2Task = z.infer<typeof spider2Task>;

export interface Spider2Rule {
  readonly conditionColumns: readonly number[] | readonly (readonly number[])[];
  readonly ignoreOrder: boolean;
  /** The gold statement gives another answer with time. */
  readonly isTemporal: boolean;
  /** By the tokens of the gold SQL, where they are said: below 80, below 160, above (Lei et al. 2024). */
  readonly difficulty?: string | undefined;
}

const column = z.int().min(0);
const yes = z.union([z.boolean(), z.string().transform((text) => /^(?:yes|true)$/i.test(text.trim()))]).nullish();

/** How the evaluator judges a task. `[[]]`, `[null]` and null are no condition, as in the evaluator. */
export const spider2Rule = z
  .object({
    condition_cols: z
      .union([
        z.array(column),
        z.array(z.null()).transform(() => []),
        z.array(z.array(column)).transform((lists) => (lists.every((list) => list.length === 0) ? [] : lists)),
        z.null().transform(() => []),
      ])
      .default([]),
    ignore_order: yes,
    temporal: yes,
    toks: z.union([z.number(), z.string().transform(Number)]).optional(),
  })
  .transform((row): Spider2Rule => {
    const tokens = row.toks;
    const difficulty =
      tokens === undefined || !(tokens >= 0) ? undefined : tokens < 80 ? 'easy' : tokens < 160 ? 'medium' : 'hard';
    return {
      conditionColumns: row.condition_cols,
      ignoreOrder: row.ignore_order ?? false,
      isTemporal: row.temporal ?? false,
      ...(difficulty === undefined ? {} : { difficulty }),
    };
  });

export const spider2GoldSql = z.object({
  instance_id: word,
  set: z.enum(['lite', 'snow']).optional(),
  sql: word,
});

export const spider2GoldResult = z.object({ instance_id: word, file: word, csv: z.string() });

export const spider2Document = z.object({ name: word, text: z.string(), text_snow: z.string().optional() });
