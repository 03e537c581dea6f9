import { AskemaError, didYouMean, isAskemaError } from '@askema/core';
import { createDependencyParser, type RelationScheme } from '@askema/normal-form';
import { parseDocument } from 'yaml';

/** A relation of the file. */
export interface RelationInput {
  readonly scheme: RelationScheme;
  readonly preferredKey: readonly string[] | undefined;
}

const FIELDS = ['name', 'attributes', 'dependencies', 'key'] as const;

/**
 * The relations of a text in YAML or JSON: `relations: [{ name, attributes, dependencies, key }]`, such a list itself,
 * or one relation. Scalars are text, whatever they look like: an attribute may be called `No` or `2024`.
 *
 * @throws AskemaError `INPUT_INVALID` with the name of the source and the path in it.
 */
export function readRelations(text: string, source: string): readonly RelationInput[] {
  const root = parse(text, source);
  const fail = (path: string, problem: string): AskemaError => invalid(source, path, problem);
  if (Array.isArray(root)) return relationsOf(root, '', fail);
  const fields = fieldsOf(root, '', ['relations', ...FIELDS], fail);
  if (!('relations' in fields)) return [relationOf(fields, '', 'R', fail)];
  const beside = Object.keys(fields).find((field) => field !== 'relations');
  if (beside !== undefined)
    throw fail(beside, `stands beside \`relations\`; put it into a relation of the list, or leave \`relations\` out.`);
  if (!Array.isArray(fields.relations)) throw fail('relations', 'is no list; begin each relation with a dash.');
  return relationsOf(fields.relations, 'relations', fail);
}

type Fail = (path: string, problem: string) => AskemaError;

function invalid(source: string, path: string, problem: string, cause?: unknown): AskemaError {
  const place = path === '' ? source : `${source}: \`${path}\``;
  return new AskemaError('INPUT_INVALID', `${place} ${problem}`, cause === undefined ? {} : { cause });
}

function parse(text: string, source: string): unknown {
  if (text.trim() === '')
    throw invalid(source, '', 'is empty; it needs `name`, `attributes` and `dependencies` of a relation.');
  try {
    const document = parseDocument(text, { schema: 'failsafe', prettyErrors: true, logLevel: 'silent' });
    const [error] = document.errors;
    if (error === undefined) return document.toJS({ maxAliasCount: 100 });
    const [place] = error.linePos ?? [];
    const [first = ''] = error.message.split('\n');
    const at = place === undefined || first.includes(' at line ') ? '' : ` at line ${place.line}, column ${place.col}`;
    throw invalid(
      source,
      '',
      `is neither YAML nor JSON: ${first.replace(/:$/, '')}${at}. ${hintFor(error.code)}`.trimEnd(),
    );
  } catch (error) {
    if (isAskemaError(error)) throw error;
    throw invalid(source, '', `cannot be read: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

/** What people mostly did who got this error. */
function hintFor(code: string): string {
  return code === 'UNEXPECTED_TOKEN' || code === 'BAD_SCALAR_START'
    ? 'A dependency with a quoted name stands in single quotes as a whole: \'"City, State" -> Zip\'.'
    : '';
}

function relationsOf(list: readonly unknown[], path: string, fail: Fail): readonly RelationInput[] {
  if (list.length === 0) throw fail(path, 'holds no relation; add one with `name`, `attributes` and `dependencies`.');
  const seen = new Map<string, string>();
  return list.map((each, at) => {
    const own = `${path}[${at}]`;
    const relation = relationOf(fieldsOf(each, own, FIELDS, fail), own, undefined, fail);
    const folded = relation.scheme.name.toLowerCase();
    const before = seen.get(folded);
    if (before !== undefined)
      throw fail(`${own}.name`, `is \`${relation.scheme.name}\`, as that of ${before}; name it otherwise.`);
    seen.set(folded, own);
    return relation;
  });
}

function fieldsOf(
  value: unknown,
  path: string,
  known: readonly string[],
  fail: Fail,
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fail(path, 'is no relation; it needs `name`, `attributes` and `dependencies`.');
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown === undefined) return value as Readonly<Record<string, unknown>>;
  throw fail(
    path === '' ? unknown : `${path}.${unknown}`,
    `is no field of a relation. ${didYouMean(unknown, known) || `Fields: ${known.join(', ')}.`}`,
  );
}

function relationOf(
  fields: Readonly<Record<string, unknown>>,
  path: string,
  defaultName: string | undefined,
  fail: Fail,
): RelationInput {
  const at = (field: string): string => (path === '' ? field : `${path}.${field}`);
  const name = fields.name ?? defaultName;
  if (typeof name !== 'string' || name.trim() === '') throw fail(at('name'), 'is missing; name the relation.');
  const given = fields.attributes == null ? undefined : textsOf(fields.attributes, at('attributes'), fail);
  const parseOne = createDependencyParser(given);
  const written = fields.dependencies == null ? [] : textsOf(fields.dependencies, at('dependencies'), fail);
  const dependencies = written.map((text, index) =>
    located(`${at('dependencies')}[${index}]`, fail, () => parseOne(text)),
  );
  const attributes = given ?? [...new Set(dependencies.flatMap(({ left, right }) => [...left, ...right]))];
  if (attributes.length === 0)
    throw fail(at('attributes'), 'is missing, and there are no dependencies that name any; list the attributes.');
  checkAttributes(attributes, at('attributes'), fail);
  const preferredKey = fields.key == null ? undefined : textsOf(fields.key, at('key'), fail);
  for (const [index, attribute] of (preferredKey ?? []).entries()) {
    if (attributes.includes(attribute)) continue;
    throw fail(
      `${at('key')}[${index}]`,
      `is \`${attribute}\`, which is no attribute of \`${name}\`. ${didYouMean(attribute, attributes)}`.trimEnd(),
    );
  }
  return { scheme: { name, attributes, dependencies }, preferredKey };
}

function checkAttributes(attributes: readonly string[], path: string, fail: Fail): void {
  const seen = new Set<string>();
  for (const [index, attribute] of attributes.entries()) {
    if (attribute.trim() === '') throw fail(`${path}[${index}]`, 'is empty; name the attribute.');
    if (seen.has(attribute)) throw fail(`${path}[${index}]`, `is \`${attribute}\` for the second time; leave one out.`);
    seen.add(attribute);
  }
}

/** A list of texts; one text alone is a list of one. */
function textsOf(value: unknown, path: string, fail: Fail): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  for (const [index, each] of list.entries()) {
    if (typeof each !== 'string')
      throw fail(Array.isArray(value) ? `${path}[${index}]` : path, 'is no text; write it in quotes.');
  }
  return list as readonly string[];
}

/** What core says of a dependency, with its place in the file. */
function located<T>(path: string, fail: Fail, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isAskemaError(error)) throw fail(path, `is wrong: ${error.message}`);
    throw error;
  }
}
