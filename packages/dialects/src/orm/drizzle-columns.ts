import type { Attribute } from '@askema/core';
import type { DdlSource } from '../ddl/ddl-source.ts';
import { nativeType } from '../ddl/native-type.ts';
import type { OrmTraits } from '../orm-traits.ts';

/** The call that makes a column, and the function that it needs imported. */
export function columnBuilder(
  { dialect, drizzle }: OrmTraits,
  source: DdlSource,
  attribute: Attribute,
): { readonly imported: string | undefined; readonly text: string } {
  const native = nativeType({ ...source, native: false }, attribute, dialect);
  const [builder, options] = drizzle.columns[native] ?? ['text'];
  const text = `${builder}(${JSON.stringify(attribute.name)}${options === undefined ? '' : `, ${options}`})`;
  return { imported: builder === drizzle.bytes ? undefined : builder, text };
}
