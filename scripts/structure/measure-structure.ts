import { join } from 'node:path';
import { countCodeLines } from './code-lines.ts';
import { countExports, createSourceProgram } from './exported-names.ts';
import { entryPoints, type ModuleGraph, reachedModules, readModuleGraph } from './module-graph.ts';

/** A file is small up to this many lines, comments and blank lines included. */
export const SMALL_LINES = 60;
/** No file may be longer. */
const LONG_LINES = 350;

export interface MeasuredFile {
  readonly file: string;
  readonly package: string;
  /** All lines, with comments and blank ones. */
  readonly lines: number;
  readonly codeLines: number;
  /** Sources of its package that import it; tests do not count. */
  readonly importers: readonly string[];
}

/** The figures of one package, or of all, by the heading of their column. */
type Figures = Readonly<Record<string, number>>;

export interface Structure {
  readonly files: readonly MeasuredFile[];
  /** By the path of the package, and `all packages`. */
  readonly figures: ReadonlyMap<string, Figures>;
}

/**
 * Measures the sources of the workspace at `root`. What only serves tests is left out, except for the count of test
 * files.
 */
export async function measureStructure(root: string): Promise<Structure> {
  const graph = await readModuleGraph(root);
  const program = createSourceProgram(root, graph);
  const importers = importersOf(graph);
  const files: MeasuredFile[] = [];
  for (const { file, package: owner, isSource } of graph.modules.values()) {
    const source = isSource ? program.getSourceFile(join(root, file)) : undefined;
    if (!source) continue;
    const lines = source.text.replace(/\n$/, '').split('\n').length;
    const known = importers.get(file) ?? [];
    files.push({ file, package: owner.path, lines, codeLines: countCodeLines(source), importers: known });
  }
  const exported = countExports(root, graph, program);
  const imports = new Map([...graph.modules].map(([file, module]) => [file, module.imports]));
  const tests = [...graph.modules.values()].filter(({ file }) => file.endsWith('.test.ts'));
  const figures = new Map<string, Figures>();
  for (const owner of graph.packages) {
    const own = files.filter((file) => file.package === owner.path);
    figures.set(owner.path, {
      ...figuresOfFiles(own),
      'test files': tests.filter((test) => test.package === owner).length,
      exports: exported.get(owner.path) ?? 0,
      'modules reached': reachedModules(entryPoints(owner), imports, { types: false }).size,
      'imported by': importingPackages(owner.path, graph).size,
    });
  }
  figures.set('all packages', {
    ...figuresOfFiles(files),
    'test files': tests.length,
    exports: [...exported.values()].reduce((sum, count) => sum + count, 0),
  });
  return { files, figures };
}

/** Small files that one other file alone imports: candidates to stand in that file. */
export function isSmallPart({ lines, importers }: MeasuredFile): boolean {
  return lines <= SMALL_LINES && importers.length === 1;
}

function figuresOfFiles(files: readonly MeasuredFile[]): Figures {
  const sizes = files.map(({ lines }) => lines).sort((a, b) => a - b);
  return {
    'lines of code': files.reduce((sum, { codeLines }) => sum + codeLines, 0),
    files: files.length,
    'median lines': sizes[Math.floor(sizes.length / 2)] ?? 0,
    [`≤ ${SMALL_LINES} lines, one importer`]: files.filter(isSmallPart).length,
    [`> ${LONG_LINES} lines`]: sizes.filter((lines) => lines > LONG_LINES).length,
  };
}

function importersOf({ modules }: ModuleGraph): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const { file, package: owner, isSource, imports } of modules.values()) {
    if (!isSource) continue;
    for (const target of new Set(imports.map((found) => found.file))) {
      if (target === undefined || modules.get(target)?.package !== owner) continue;
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  return importers;
}

/** The other packages whose sources import the one at `path`. */
function importingPackages(path: string, { modules }: ModuleGraph): Set<string> {
  const importing = [...modules.values()].filter(
    ({ package: owner, isSource, imports }) =>
      isSource && owner.path !== path && imports.some(({ file }) => file?.startsWith(`${path}/`)),
  );
  return new Set(importing.map(({ package: owner }) => owner.path));
}
