import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/**
 * What is wrong with a file of a folder that may come from anybody: a link on the way to it that leads out of the
 * folder. The text names the link and where it leads; undefined where nothing does, and where nothing is there. The
 * folder itself may be a link, for it was named by who asks.
 */
export function linkOutOf(folder: string, file: string): string | undefined {
  const root = realPath(resolve(folder));
  if (root === undefined) return undefined;
  let place = resolve(folder);
  for (const part of relative(place, resolve(file)).split(sep)) {
    place = join(place, part);
    const target = targetOf(place);
    if (target !== undefined && !isWithin(root, target))
      return `${place} is a link that leads out of ${folder}, to ${target}. Files are read from their own folder alone: put the file itself there, or name the place where it is.`;
  }
  const real = realPath(place);
  return real === undefined || isWithin(root, real) ? undefined : `${file} is ${real}, which is not in ${folder}.`;
}

/** Where a link leads, also one that leads to nothing yet; undefined for what is no link. */
function targetOf(place: string): string | undefined {
  try {
    if (!lstatSync(place).isSymbolicLink()) return undefined;
    const parent = realpathSync(dirname(place));
    return realPath(place) ?? resolve(parent, readlinkSync(place));
  } catch {
    return undefined;
  }
}

function realPath(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}

function isWithin(root: string, place: string): boolean {
  const way = relative(root, place);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
