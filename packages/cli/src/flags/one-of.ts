import { AskemaError, didYouMean } from '@askema/core';

/** @throws AskemaError `INPUT_INVALID` with the nearest name and all of them. */
export function oneOf<Name extends string>(value: string, known: readonly Name[], what: string, listed: string): Name {
  const name = value.trim().toLowerCase();
  const found = known.find((each) => each === name);
  if (found !== undefined) return found;
  const near = didYouMean(name, known);
  throw new AskemaError(
    'INPUT_INVALID',
    `There is no ${what} \`${value}\`. ${near === '' ? '' : `${near} `}${listed}: ${known.join(', ')}.`,
  );
}
