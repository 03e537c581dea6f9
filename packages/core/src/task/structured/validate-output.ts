import type { StandardSchemaV1 } from '@standard-schema/spec';

/** What is wrong with a value, and where: `items[0].name`; an empty path is the value itself. */
export interface OutputIssue {
  readonly path: string;
  readonly message: string;
}

export type ValidatedOutput<Out> =
  | { readonly ok: true; readonly value: Out }
  | { readonly ok: false; readonly issues: readonly OutputIssue[] };

/** Validates through Standard Schema (https://standardschema.dev). */
export async function validateOutput<Out>(
  schema: StandardSchemaV1<unknown, Out>,
  value: unknown,
): Promise<ValidatedOutput<Out>> {
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.map(({ message, path }) => ({ path: pathText(path), message })) };
}

function pathText(path: StandardSchemaV1.Issue['path']): string {
  let text = '';
  for (const segment of path ?? []) {
    const key = typeof segment === 'object' ? segment.key : segment;
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text;
}

/** The issue as a line: "`items[0].name`: expected string". */
export function issueText({ path, message }: OutputIssue): string {
  return path === '' ? message : `\`${path}\`: ${message}`;
}
