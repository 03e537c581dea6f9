import { unreadableFileError } from '@askema/adapter-kit';
import { AskemaError } from '@askema/core';
import { wrongKind } from '../files/file-problem.ts';
import type { EngineSource, Unopenable } from '../protocol.ts';

/** Makes the error of a database, or of data files, that DuckDB cannot open. */
export function explainOpening(source: EngineSource, unopenable: Unopenable): AskemaError {
  if (unopenable.type === 'noDatabase') {
    const file = source.type === 'database' ? source.file : '';
    return unopenable.content === 'unreadable'
      ? unreadableFileError(file, { code: 'EACCES' })
      : wrongKind(file, unopenable.content);
  }
  const { failure, relation } = unopenable;
  const { message: raw, vendorCode } = failure;
  const message = raw.trim().replace(/\.$/, '');
  const details = { vendorCode };
  if (source.type === 'files')
    return fileProblem(source.relations.find(({ name }) => name === relation)?.files ?? [], message, vendorCode);
  const { file } = source;
  if (/could not set lock|conflicting lock|used by another process|being used/i.test(message))
    return new AskemaError(
      'DATABASE_LOCKED',
      `The database ${file} is locked by another process that writes to it (${lockHolder(message)}). Try again when it has closed the database; DuckDB lets one process write, or many read.`,
      { details, retryable: true },
    );
  const version = /version number (\d+)|newer (?:DuckDB )?version|later version|storage version/i.exec(message);
  if (version !== null)
    return new AskemaError(
      'DATABASE_INVALID',
      `The database ${file} was written by another version of DuckDB than this one can read (${message}). Install the newest driver: npm install @duckdb/node-api@latest`,
      { details },
    );
  if (/encrypt/i.test(message))
    return new AskemaError(
      'DATABASE_INVALID',
      `The database ${file} is encrypted (${message}). Copy it to one without encryption, or to files, and open those.`,
      { details },
    );
  if (
    /corrupt|checksum|not a valid DuckDB|serialization|unexpected end|internal error/i.test(`${message} ${vendorCode}`)
  )
    return new AskemaError(
      'DATABASE_CORRUPT',
      `The database ${file} is damaged (${message}). Restore a backup, or export what can still be read with a DuckDB of the version that wrote it.`,
      { details },
    );
  return new AskemaError('DATABASE_UNAVAILABLE', `The database ${file} cannot be opened (${message}).`, { details });
}

function fileProblem(files: readonly string[], message: string, vendorCode: string): AskemaError {
  const [first = 'a file'] = files;
  const which = files.length > 1 ? `${first} and ${files.length - 1} more` : first;
  return new AskemaError(
    'DATABASE_INVALID',
    `${which} cannot be read as what ${files.length > 1 ? 'their names say' : 'its name says'}: ${message}. Check the file with the program that wrote it.`,
    { details: { vendorCode } },
  );
}

/** The process that holds the lock, as DuckDB names it. */
function lockHolder(message: string): string {
  return /\(PID \d+\)/.exec(message)?.[0].slice(1, -1) ?? 'it holds the lock';
}
