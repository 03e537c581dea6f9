import { ASK_BACKS, type AskBack } from '@askema/text2sql/ask';
import { oneOf } from './one-of.ts';

/** `--ask-back`. @throws AskemaError `INPUT_INVALID` for another word, with all of them. */
export function readAskBack(flag: string | undefined): { readonly askBack?: AskBack } {
  return flag === undefined ? {} : { askBack: oneOf('--ask-back', flag, ASK_BACKS) };
}
