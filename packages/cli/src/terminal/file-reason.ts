const ELSEWHERE = 'Name another place.';

/** By the codes of the operating system. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there. Make the folder, or name another place.',
  ENOTDIR: `a part of its path is a file and no folder. ${ELSEWHERE}`,
  EISDIR: 'a folder is called so. Name a file.',
  EACCES: `you may not write there. ${ELSEWHERE}`,
  EPERM: `you may not write there. ${ELSEWHERE}`,
  EROFS: `nothing can be written there. ${ELSEWHERE}`,
  ENOSPC: 'the disk is full. Make room, or name another place.',
  EDQUOT: 'your part of the disk is full. Make room, or name another place.',
  ENAMETOOLONG: 'the name is too long. Name a shorter one.',
};

/** Why a file cannot be written, and what helps; without paths, which may be temporary ones. */
export function fileReason(error: unknown): string {
  const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? `the system reports ${code}. ${ELSEWHERE}`;
}
