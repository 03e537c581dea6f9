import { AskemaError, checkNumber, checkWhole, didYouMean } from '@askema/core';

/** The least and the most that a limit may be. */
export type Range = readonly [least: number, most: number];

/**
 * The base with what was given in its place; `where` names the option in messages.
 *
 * @throws AskemaError `CONFIG_INVALID` for a name that the base does not have.
 */
export function mergedOptions<T extends object>(
  where: string,
  base: T,
  given: { readonly [Key in keyof T]?: T[Key] | undefined } | undefined,
): T {
  const result: T = { ...base };
  for (const [key, value] of Object.entries(given ?? {})) {
    checkOptionName(where, key, Object.keys(base));
    if (value !== undefined) Object.assign(result, { [key]: value });
  }
  return result;
}

/** @throws AskemaError `CONFIG_INVALID` for a name that is none of these. */
export function checkOptionName(where: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  throw new AskemaError(
    'CONFIG_INVALID',
    `\`${where}\` has no \`${name}\`. ${didYouMean(name, names)} There are: ${names.join(', ')}.`,
  );
}

/** @throws AskemaError `CONFIG_INVALID` for a limit out of its range, or no whole number where it is no fraction. */
export function checkLimits<T extends object>(
  where: string,
  limits: T,
  ranges: Readonly<Record<keyof T, Range>>,
  fractions: readonly (keyof T)[] = [],
): void {
  for (const [name, [least, most]] of Object.entries<Range>(ranges)) {
    const check = fractions.includes(name as keyof T) ? checkNumber : checkWhole;
    check(`${where}.${name}`, limits[name as keyof T] as number, least, most);
  }
}
