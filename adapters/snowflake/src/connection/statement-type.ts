/**
 * Kinds of statements as the server numbers them (`statementTypeId`): queries 0x1000, statements that change rows 0x3000 and on, commands of the
 * session 0x4000, of transactions 0x5000, definitions 0x6000 and on. Snowflake's drivers for several languages agree on these numbers.
 */
const SELECT = 0x1000;
const DML = 0x3000;
const SESSION = 0x4000;
const SHOW = 0x4400;
const DESCRIBE = 0x4500;
const TRANSACTION = 0x5000;
const DEFINITION = 0x6000;

/** The thousands of a number, in base 16. */
const familyOf = (type: number): number => type & ~0xfff;

export function isDml(type: number): boolean {
  return familyOf(type) === DML;
}

/** Queries, SHOW and DESCRIBE; no other number, known or not. */
export function isReading(type: number): boolean {
  return type === SELECT || (type & ~0xff) === SHOW || (type & ~0xff) === DESCRIBE;
}

/** What a statement is, for a plan; undefined for numbers that are not known. */
export function kindOf(type: number): 'read' | 'write' | 'ddl' | 'other' | undefined {
  if (isReading(type)) return 'read';
  switch (familyOf(type)) {
    case DML:
      return 'write';
    case SESSION:
    case TRANSACTION:
      return 'other';
    default:
      return familyOf(type) >= DEFINITION ? 'ddl' : undefined;
  }
}

/** False after what may have changed where a session stands or what it remembers: USE, SET, transactions, CREATE DATABASE, scripts. */
export function keepsSession(type: number | undefined): boolean {
  return type === undefined || isReading(type) || isDml(type);
}
