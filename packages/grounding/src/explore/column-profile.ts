import type { Attribute, AttributeInfo, ColumnProfile } from '@askema/core';

/** Characters that are read of a common value. */
export const CELL_CHARACTERS = 120;

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
export function isComparable(
  attribute: Attribute,
  info: Pick<AttributeInfo, 'nativeType' | 'masked'> | undefined,
): boolean {
  return attribute.type !== 'BINARY' && info?.masked !== true && !NESTED_TYPE.test(info?.nativeType ?? '');
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
