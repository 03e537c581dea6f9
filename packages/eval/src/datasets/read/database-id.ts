/** Longer than the name of a file can be. */
const MAX_LENGTH = 255;

/**
 * Why the id of a database in a dataset cannot be a name; undefined for one that can. An id becomes a part of a path or
 * of an address, so it must be one plain name: nothing that leads to another folder, host or file. This is the one
 * place that says which ids are taken.
 */
export function databaseIdProblem(id: string): string | undefined {
  const reason = reasonAgainst(id);
  return reason === undefined ? undefined : `${JSON.stringify(shortened(id))} cannot be a name: it ${reason}.`;
}

/** The same for an id that may be a path within the folder of the dataset: each part of it is a name. */
export function databasePathProblem(id: string): string | undefined {
  return id
    .split('/')
    .map(databaseIdProblem)
    .find((problem) => problem !== undefined);
}

function reasonAgainst(id: string): string | undefined {
  if (/^[.\s]*$/.test(id)) return id.trim() === '' ? 'is empty' : 'consists of dots';
  if (id.length > MAX_LENGTH) return `has ${id.length} characters, more than ${MAX_LENGTH}`;
  if (/[/\\]/.test(id)) return 'has a slash in it, as a path has';
  if (id.includes(':')) return 'has a colon in it, as an address or a drive has';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(id)) return 'has a control character in it';
  if (/\p{Cs}/u.test(id)) return 'is no Unicode text';
  return undefined;
}

function shortened(id: string): string {
  return id.length > 80 ? `${id.slice(0, 80)}…` : id;
}
