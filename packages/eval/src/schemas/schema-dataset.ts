import type { DatasetProblem } from '../datasets/dataset.ts';
import type { ComparedSchema } from './compared-schema.ts';

/** What can be wrong with a row of RSchema; the row is used all the same. */
export type SchemaDefectKind =
  | 'key-column-missing'
  | 'duplicate-attribute'
  | 'duplicate-table'
  | 'foreign-key-column-missing'
  | 'foreign-key-two-targets'
  | 'foreign-key-target-missing'
  | 'foreign-key-to-part-of-key'
  | 'type-missing'
  | 'ddl-unreadable'
  | 'ddl-differs';

/** The kinds for which gold breaks its own rules, so that scoring it against itself may stay below 100. The others only cost types. */
export const STRUCTURAL_DEFECTS: readonly SchemaDefectKind[] = [
  'key-column-missing',
  'duplicate-attribute',
  'duplicate-table',
  'foreign-key-column-missing',
  'foreign-key-two-targets',
  'foreign-key-target-missing',
  'foreign-key-to-part-of-key',
];

/** Something wrong in the gold schema of a row. */
export interface SchemaDefect {
  readonly id: string;
  /** 1-based line of the file. */
  readonly line: number;
  readonly kind: SchemaDefectKind;
  readonly table?: string | undefined;
  /** What is wrong, with the names. */
  readonly message: string;
}

/** A requirement with the schema that people made of it. */
export interface SchemaItem {
  readonly id: string;
  readonly requirement: string;
  readonly gold: ComparedSchema;
  /** From the general one to the special one. */
  readonly domain: readonly string[];
  readonly defects: readonly SchemaDefect[];
  /** 1-based line of the file. */
  readonly line: number;
}

/** A line that is no item at all. */
export type SchemaRowProblem = DatasetProblem;

/** Requirements with gold schemas, as `loadSchemaDataset` reads them. */
export interface SchemaDataset {
  readonly name: string;
  readonly file: string;
  readonly items: readonly SchemaItem[];
  readonly problems: readonly SchemaRowProblem[];
  /** SHA-256 over the requirements and gold schemas, in hexadecimal. */
  readonly fingerprint: string;
}
