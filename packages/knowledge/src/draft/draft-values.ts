import type { Adapter, Attribute, AttributeId, CallContext, Catalog, Dialect, Value } from '@askema/core';
import { drawSamples } from '@askema/grounding';
import { tryParseExpression } from '../expression/parse-expression.ts';
import { sameName } from '../model/same-name.ts';

/** What cells and constraints say about attributes. */
export interface FoundValues {
  /** All values, where they are few and repeat. */
  readonly enums: ReadonlyMap<AttributeId, readonly (string | number)[]>;
  /** Texts that are dates. */
  readonly dates: ReadonlySet<AttributeId>;
}

/** More values than that are no list that somebody keeps. */
const MAX_VALUES = 20;
const MAX_CHARACTERS = 60;
/** Fewer rows for each value may all differ by chance, or be the names of few things. */
const ROWS_PER_VALUE = 3;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}|$)/;

export async function findValues(
  adapter: Adapter,
  catalog: Catalog,
  attributes: readonly Attribute[],
  options: { readonly timeoutMs: number; readonly context: CallContext },
): Promise<FoundValues> {
  const keys = new Set(catalog.schema.primaryKeys.flatMap((key) => key.attributes));
  const enums = new Map(valuesOfChecks(catalog, attributes, adapter.dialect));
  const dates = new Set<AttributeId>();
  const asked = attributes.filter(
    ({ id, type }) => type === 'TEXT' && !keys.has(id) && catalog.attributes[id]?.masked !== true,
  );
  const samples = await drawSamples(
    adapter,
    asked.map(({ id }) => id),
    { catalog, limit: MAX_VALUES + 1, ...options },
  );
  for (const { id, relation } of asked) {
    const sample = samples[id];
    const texts = (sample?.values ?? []).filter((value) => isText(value));
    if (texts.length > 0 && texts.every((text) => ISO_DATE.test(text))) dates.add(id);
    const rows = catalog.relations[relation]?.rowCount;
    const isFew =
      texts.length > 0 && texts.length <= MAX_VALUES && texts.every((text) => text.length <= MAX_CHARACTERS);
    const isRepeated = rows !== undefined && rows >= texts.length * ROWS_PER_VALUE;
    if (sample?.isWhole === true && isFew && isRepeated && !dates.has(id) && !enums.has(id))
      enums.set(id, texts.toSorted());
  }
  return { enums, dates };
}

/** Values that a CHECK lists: `status IN ('open', 'paid')`. */
function* valuesOfChecks(
  catalog: Catalog,
  attributes: readonly Attribute[],
  dialect: Dialect,
): Generator<readonly [AttributeId, readonly (string | number)[]]> {
  for (const { relation, expression } of catalog.checks) {
    const parsed = tryParseExpression(expression, dialect.lexer);
    if (parsed?.kind !== 'in' || parsed.isNegated || parsed.operand.kind !== 'column') continue;
    const { name } = parsed.operand;
    const attribute = attributes.find((one) => one.relation === relation && sameName(one.name, name));
    const values = parsed.list.flatMap((value): readonly (string | number)[] => {
      if (value.kind !== 'literal') return [];
      return value.type === 'number' ? [Number(value.value)] : value.type === 'string' ? [value.value] : [];
    });
    if (attribute !== undefined && values.length === parsed.list.length) yield [attribute.id, values];
  }
}

function isText(value: Value): value is string {
  return typeof value === 'string' && value !== '';
}
