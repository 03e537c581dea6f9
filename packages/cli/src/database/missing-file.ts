import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AskemaError, didYouMean, nearestNames } from '@askema/core';
import { withoutUserInfo } from './address.ts';
import { isDatabaseName, listFolder } from './database-file.ts';

/** `DATABASE_NOT_FOUND` for a path where nothing is, with the nearest names of the folder and of the configuration. */
export function missingFile(path: string, address: string, configured: readonly string[]): AskemaError {
  const folder = dirname(path);
  const siblings = listFolder(folder).filter(isDatabaseName);
  const near = [
    ...nearestNames(address, configured),
    ...nearestNames(basename(path), siblings).map((name) => join(dirname(address), name)),
  ].slice(0, 3);
  const hint = near.length > 0 ? didYouMeanThese(near) : othersThere(folder, siblings, configured);
  const message = `There is no database ${withoutUserInfo(address)}. ${hint}`.trim();
  return new AskemaError('DATABASE_NOT_FOUND', message, { details: { nearestNames: near } });
}

function didYouMeanThese(names: readonly string[]): string {
  return `Did you mean ${names.map((name) => `\`${name}\``).join(' or ')}?`;
}

function othersThere(folder: string, files: readonly string[], configured: readonly string[]): string {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined)
    return `The folder ${folder} does not exist. ${didYouMean(basename(folder), listFolder(dirname(folder)))}`;
  const known = [
    files.length > 0 ? `In ${folder}: ${files.slice(0, 5).join(', ')}.` : '',
    configured.length > 0 ? `In the configuration: ${configured.join(', ')}.` : '',
  ].filter((each) => each !== '');
  return known.length > 0
    ? known.join(' ')
    : 'Give the path of a file, or an address such as postgres://host/database.';
}
