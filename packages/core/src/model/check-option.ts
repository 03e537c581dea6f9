import { AskemaError } from '../errors/askema-error.ts';

/** The value, when it is a whole number from 1; else throws `CONFIG_INVALID`. */
export function throwUnlessCount(owner: string, name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new AskemaError('CONFIG_INVALID', `${owner}: \`${name}\` is ${value}; give it a whole number from 1.`);
}

/** The value, when it is a number from 0; else throws `CONFIG_INVALID`. */
export function throwUnlessAmount(owner: string, name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new AskemaError('CONFIG_INVALID', `${owner}: \`${name}\` is ${value}; give it a number from 0.`);
}
