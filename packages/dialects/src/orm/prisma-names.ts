import { lowerFirst, plainLetters } from './stable-names.ts';

/**
 * Names that no model can have: the scalar types, and what generated clients cannot call a class
 * (`psl/parser-database/src/names/reserved_model_names.rs` of prisma-engines). Lower case: Prisma compares some of them
 * without case.
 */
const RESERVED: ReadonlySet<string> = new Set(
  'string int bigint float decimal boolean datetime json bytes unsupported prismaclient prisma async await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return super switch this throw true try typeof using var void while with yield model type view datasource generator'.split(
    ' ',
  ),
);

/**
 * A name of a model: letters, digits and underscores. It begins with a letter of ASCII: Prisma's validation takes
 * others, its generator of clients (8.1) fails at them.
 */
export function modelName(text: string): string {
  const plain = begunWithLetter(text, 'Model');
  return RESERVED.has(plain.toLowerCase()) ? `${plain}_` : plain;
}

/** A name of a field. */
export function fieldName(text: string): string {
  return begunWithLetter(text, 'field');
}

/** `customer` of `customer_id` or `customerId`; the model it leads to where nothing is left. */
export function relationFieldName(columns: readonly string[], target: string): string {
  const [only] = columns;
  const stem = columns.length === 1 && only !== undefined ? only.replace(/(?:_id|Id|_ID|_key|_no)$/, '') : '';
  return stem === '' || stem === only ? lowerFirst(target) : stem;
}

function begunWithLetter(text: string, fallback: string): string {
  const plain = plainLetters(text).replace(/^_+/, '');
  if (plain === '') return fallback;
  return /^[A-Za-z]/.test(plain) ? plain : `${fallback}_${plain}`;
}
