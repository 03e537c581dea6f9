import type { Attribute, AttributeId } from '../schema/schema.ts';
import type { Value } from '../values/value.ts';

/** What the cells of one attribute look like. Counts are those of the rows that were read; see `sampled`. */
export interface ColumnProfile {
  /** Rows that were read. */
  readonly rowCount: number;
  /** True when the relation has more rows than were read: the first ones then speak for all. */
  readonly sampled?: boolean | undefined;
  /** NULL is no value. Undefined for nested and binary attributes, which not every engine compares. */
  readonly distinctCount?: number | undefined;
  readonly nullCount: number;
  readonly minimum?: Value | undefined;
  readonly maximum?: Value | undefined;
  /** The most frequent ones first; texts are cut to {@link CELL_CHARACTERS}. */
  readonly commonValues: readonly { readonly value: Value; readonly count: number }[];
  /** Of attributes of text. */
  readonly text?: TextProfile | undefined;
  /** How the common values are written, most frequent first; see `shapeOf`. */
  readonly shapes?: readonly string[] | undefined;
}

/** How texts are spelled. */
export interface TextProfile {
  /** Cells that hold a text without characters. */
  readonly emptyCount: number;
  /** Cells that begin or end with a blank. */
  readonly paddedCount: number;
  /** Distinct values when neither case nor blanks around them count; fewer than `distinctCount` means mixed spellings. */
  readonly foldedCount: number;
  /** What all common values are, though they are stored as text. */
  readonly holds?: 'numbers' | 'JSON' | undefined;
}

/** Characters that are read of a common value. */
export const CELL_CHARACTERS = 120;

/** How two relations join, counted. */
export interface JoinProfile {
  readonly from: AttributeId;
  readonly to: AttributeId;
  /** `declared` by a foreign key, else both attributes only share the name of a key. */
  readonly known: 'declared' | 'by name';
  /** Rows whose value has no counterpart in `to`: an inner join loses them. */
  readonly orphanCount: number;
  /** The most rows of `from` that one value of `to` meets: a join repeats the row of `to` so often. */
  readonly mostRows: number;
  /** Values of `to` that no row of `from` has: only an outer join keeps them. */
  readonly unmatchedCount: number;
  /** Rows of the relation of `to`. */
  readonly targetCount: number;
  /** Whether each value of `to` stands in one row; otherwise a join multiplies in both directions. */
  readonly isTargetUnique: boolean;
}

/** A statement that is ready to run, and what it would show. */
export interface ReadyProbe {
  /** The name of the dialect's skeleton that it was made from. */
  readonly kind: string;
  readonly sql: string;
  readonly purpose: string;
  readonly attributes: readonly AttributeId[];
}

/** True when every cell but NULLs is different from all others, as far as that is known; undefined when it is not. */
export function isUnique(profile: ColumnProfile): boolean | undefined {
  const { rowCount, distinctCount, nullCount, sampled } = profile;
  if (distinctCount === undefined || rowCount === nullCount) return undefined;
  if (distinctCount < rowCount - nullCount) return false;
  return sampled === true ? undefined : true;
}

/** Native types whose cells not every engine can compare, group or order. */
const NESTED_TYPE = /json|variant|object|array|struct|record|map\b|map\(|geography|geometry|super|xml|\[\]/i;

/** What can be asked of an attribute: nothing but its NULLs, or its values too. */
export function isComparable(attribute: Attribute, info: { readonly nativeType: string } | undefined): boolean {
  return attribute.type !== 'BINARY' && !NESTED_TYPE.test(info?.nativeType ?? '');
}

/** True for attributes that hold fields: STRUCT, ARRAY, VARIANT, JSON. */
export function isNested(
  info: { readonly nativeType: string; readonly nestedFields?: readonly unknown[] | undefined } | undefined,
): boolean {
  return (
    (info?.nestedFields?.length ?? 0) > 0 ||
    /json|variant|object|array|struct|record|super|\[\]/i.test(info?.nativeType ?? '')
  );
}
