import { join } from 'node:path';
import { AskemaError } from '@askema/core';
import { type Environment, readVariable } from '../process/host.ts';

/** Values of `ASKEMA_HISTORY` that turn it off. */
const OFF = new Set(['off', '0', 'false', 'no']);

/** Where runs are kept: `ASKEMA_HISTORY`, else a state folder. Undefined where it is off, and without a home. */
export function historyFolder(env: Environment): string | undefined {
  const named = readVariable(env, 'ASKEMA_HISTORY');
  if (named !== undefined) return OFF.has(named.toLowerCase()) ? undefined : named;
  return stateFolder(env, 'history');
}

/**
 * A folder for what the command keeps, by the XDG base directories
 * (https://specifications.freedesktop.org/basedir-spec/latest/). Undefined without a home.
 */
export function stateFolder(env: Environment, name: 'history' | 'server'): string | undefined {
  const state = readVariable(env, 'XDG_STATE_HOME');
  if (state?.startsWith('/') === true) return join(state, 'askema', name);
  const home = readVariable(env, 'HOME') ?? readVariable(env, 'USERPROFILE');
  return home === undefined ? undefined : join(home, '.local', 'state', 'askema', name);
}

/** The same for a command that cannot do without. @throws AskemaError `CONFIG_INVALID` where there is none. */
export function openHistory(env: Environment): string {
  const folder = historyFolder(env);
  if (folder !== undefined) return folder;
  throw new AskemaError(
    'CONFIG_INVALID',
    'There is no history: ASKEMA_HISTORY turns it off, or no home folder is known. Name a folder in ASKEMA_HISTORY.',
  );
}

/** Where conversations stand below it. */
export function chatsFolder(history: string): string {
  return join(history, 'chats');
}
