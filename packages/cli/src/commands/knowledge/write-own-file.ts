import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AskemaError } from '@askema/core';

/**
 * Writes a file that the command was asked for, with its folders.
 *
 * @param name As it was given, for the message.
 * @throws AskemaError `INPUT_INVALID` where it cannot be written.
 */
export function writeOwnFile(file: string, name: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new AskemaError('INPUT_INVALID', `${name} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
