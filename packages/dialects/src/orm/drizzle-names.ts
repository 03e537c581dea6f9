import { plainLetters } from './stable-names.ts';

/** Words that no constant of a module can be called (ECMAScript, strict mode), and globals that a table would hide. */
const RESERVED: ReadonlySet<string> = new Set(
  'abstract any arguments as async await bigint boolean break case catch class const constructor continue debugger declare default delete do else enum eval export extends false finally for from function get if implements import in Infinity instanceof interface is let module NaN namespace never new null number object of package private protected public require return set static string super switch symbol this throw true try type typeof undefined unknown using var void while with yield Object Array String Number Boolean Symbol Function Date Promise Error Buffer Uint8Array globalThis exports'.split(
    ' ',
  ),
);

/** Properties that every Drizzle table has itself, or that every object has. */
const OWN_PROPERTIES: ReadonlySet<string> = new Set([
  '_',
  '__proto__',
  'constructor',
  'enableRLS',
  'getSQL',
  'shouldOmitSQLParens',
  'hasOwnProperty',
  'toString',
  'valueOf',
]);

/** A name of a constant. */
export function tableName(text: string): string {
  const plain = identifier(text);
  return RESERVED.has(plain) ? `${plain}_` : plain;
}

/** A name of a property of a table. */
export function columnName(text: string): string {
  const plain = identifier(text);
  return OWN_PROPERTIES.has(plain) || RESERVED.has(plain) ? `${plain}_` : plain;
}

function identifier(text: string): string {
  const plain = plainLetters(text);
  return /^[\p{L}_]/u.test(plain) ? plain : `_${plain}`;
}
