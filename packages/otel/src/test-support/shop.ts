import {
  type AdapterSpec,
  attributeId,
  finishCatalog,
  type JsonSchema,
  type LanguageModel,
  type ModelRequest,
  type Row,
  relationId,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { type ScriptedReply, scriptedModel } from '@askema/testkit';

/** What stands in rows, in literals and in prompts. None of it may leave the house by default. */
export const CANARY = { row: 'row-canary-77', literal: 'literal-canary-77', question: 'question-canary-77' } as const;

export const SQL = `SELECT name FROM customer WHERE name <> '${CANARY.literal}' AND id > 4711`;

export interface SeenStatement {
  readonly sql: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** One table, `customer(id, name)`; each statement gives one row. */
export function shop(
  run: (sql: string) => readonly Row[] | Promise<readonly Row[]> = () => [[CANARY.row]],
): AdapterSpec & { readonly seen: SeenStatement[] } {
  const customer = relationId(['customer']);
  const [id, name] = [attributeId(customer, 'id'), attributeId(customer, 'name')];
  const catalog = finishCatalog({
    schemaVersion: 1,
    dialect: 'sqlite',
    name: 'shop',
    nameComparison: 'insensitive',
    schema: {
      relations: [{ id: customer, name: 'customer' }],
      attributes: [
        { id, relation: customer, name: 'id', type: 'NUMERIC' },
        { id: name, relation: customer, name: 'name', type: 'TEXT' },
      ],
      primaryKeys: [{ relation: customer, attributes: [id] }],
      foreignKeys: [],
      domainConstraints: [],
    },
    relations: { [customer]: { nameParts: { relation: 'customer' }, kind: 'table' } },
    attributes: { [id]: { position: 1, nativeType: 'INTEGER' }, [name]: { position: 2, nativeType: 'TEXT' } },
    uniqueKeys: [],
    checks: [],
    families: [],
    keyStanding: {},
    incomplete: [],
  });
  const seen: SeenStatement[] = [];
  return {
    contract: 1,
    name: 'shop',
    dialect: sqliteDialect,
    access: 'read',
    seen,
    executor: {
      async *execute(sql, { context, maxRows }) {
        seen.push({ sql, tags: context.tags });
        const rows = await run(sql);
        yield { type: 'columns', columns: [{ name: 'name', nativeType: 'TEXT', type: 'TEXT' }] };
        yield { type: 'rows', rows: rows.slice(0, maxRows) };
        yield { type: 'end' };
      },
    },
    introspector: { introspect: async () => catalog },
    planner: { check: async () => ({ verdict: 'ok' }) },
    sampleValues: async (ids) => Object.fromEntries(ids.map((attribute) => [attribute, [CANARY.row]])),
    close: async () => undefined,
  };
}

/** A model that answers whatever is asked in the form that is asked for; its SQL is {@link SQL}. */
export function obligingModel(
  reply: (request: ModelRequest, index: number) => ScriptedReply | undefined = () => undefined,
): LanguageModel {
  return scriptedModel(
    (request, index) => {
      // Each call another, so that no sum is right by chance.
      const usage = { inputTokens: 100 + index, outputTokens: 7 + index * index, cachedInputTokens: 60 - index };
      const own = reply(request, index);
      if (own !== undefined) return typeof own === 'string' || own instanceof Error ? own : { usage, ...own };
      if (request.tools !== undefined && request.tools.length > 0) {
        const { name, parameters } = request.tools.at(-1) ?? { name: '', parameters: {} };
        return { toolCalls: [{ name, arguments: filled(parameters, '') }], usage };
      }
      if (request.output === undefined) return { text: SQL, usage };
      return { json: filled(request.output.schema, ''), usage };
    },
    { provider: 'openai', modelId: 'gpt-test' },
  );
}

interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number)[];
  readonly const?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
}

/** A value of a JSON Schema: the first of each choice, as little as it takes. */
function filled(schema: JsonSchema, name: string): never {
  const shape = schema as Shape;
  const value = (): unknown => {
    if (shape.const !== undefined) return shape.const;
    if (shape.enum !== undefined) return shape.enum.includes('sql') ? 'sql' : shape.enum[0];
    if (shape.anyOf !== undefined) return filled(shape.anyOf[0] ?? {}, name);
    const type = typeof shape.type === 'string' ? shape.type : shape.type?.[0];
    if (type === 'boolean') return true;
    if (type === 'number' || type === 'integer') return shape.minimum ?? 1;
    if (type === 'array')
      return Array.from({ length: Math.max(shape.minItems ?? 0, name === 'statements' ? 1 : 0) }, () =>
        filled(shape.items ?? {}, name),
      );
    if (shape.properties !== undefined)
      return Object.fromEntries(Object.entries(shape.properties).map(([key, inner]) => [key, filled(inner, key)]));
    return /sql|statement/i.test(name) ? SQL : 'as asked';
  };
  return value() as never;
}
