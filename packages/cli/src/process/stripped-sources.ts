import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The workspace in which this file lies. */
const ROOT = new URL('../../../../', import.meta.url).href;
const SOURCE = /^(?:packages|adapters)\/[^/]+\/src\/.+\.ts$/;

/**
 * In a clone Node strips the types of some hundred files at each start and keeps nothing of it. From here on it is kept
 * in `folder`: for each file its whole text and, behind it, what is left of that without types. It counts only while
 * the file has that text.
 */
export function keepStripped(folder: string): void {
  const { registerHooks, stripTypeScriptTypes } = nodeModule;
  // They came with Node 22.15 and 22.13.
  if (registerHooks === undefined || stripTypeScriptTypes === undefined) return;
  const strip = (url: string): string => {
    const source = readFileSync(fileURLToPath(url), 'utf8');
    const entry = join(folder, `${process.version} ${encodeURIComponent(url.slice(ROOT.length))}`);
    const kept = read(entry);
    if (kept?.startsWith(source) === true && kept.length === 2 * source.length) return kept.slice(source.length);
    const stripped = stripTypeScriptTypes(source);
    // Types become blanks, so that both have the same length; what should ever not is not kept.
    if (stripped.length === source.length) write(entry, source + stripped);
    return stripped;
  };
  registerHooks({
    resolve(specifier, context, next) {
      // Node would look whether the file is there and where its folders lead; reading it tells the first.
      if (context.parentURL === undefined || !isSource(context.parentURL) || !/^\..*\.ts$/.test(specifier))
        return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      if (!isSource(url)) return next(url, context);
      return { format: 'module', source: `${strip(url)}\n\n//# sourceURL=${url}`, shortCircuit: true };
    },
  });
}

function isSource(url: string): boolean {
  return url.startsWith(ROOT) && SOURCE.test(url.slice(ROOT.length));
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Another process may read it meanwhile: it finds the whole text or none. */
function write(file: string, text: string): void {
  try {
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // Kept by another start, or by none.
  }
}
