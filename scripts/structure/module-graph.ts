import { posix } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { publishedPackages, type WorkspacePackage } from '../workspace.ts';

interface ModuleImport {
  /** As written: `./x.ts`, `@askema/core`. */
  readonly specifier: string;
  /** The module of this workspace that it stands for; undefined for any other. */
  readonly file: string | undefined;
  /** Whether it is gone at run time. */
  readonly isTypeOnly: boolean;
}

export interface SourceModule {
  /** `packages/core/src/index.ts`: from the root, with forward slashes. */
  readonly file: string;
  readonly package: WorkspacePackage;
  /** What an entry point of a package reaches, types included. The rest serves tests, wherever it stands. */
  readonly isSource: boolean;
  readonly imports: readonly ModuleImport[];
}

export interface ModuleGraph {
  readonly packages: readonly WorkspacePackage[];
  readonly modules: ReadonlyMap<string, SourceModule>;
}

/** The sources of the entry points of a package: of its `exports`, and of the programs it installs. */
export function entryPoints({ path, manifest }: WorkspacePackage): string[] {
  const sources = Object.values(manifest.exports ?? {}).map((target) =>
    typeof target === 'string' ? undefined : (target as Readonly<Record<string, string>>)['@askema/source'],
  );
  const programs = Object.values(manifest.bin ?? {}).map((file) => file.replace(/\bdist\/(.*)\.js$/, 'src/$1.ts'));
  return [...sources, ...programs].filter((file) => file !== undefined).map((file) => posix.join(path, file));
}

type Imports = ReadonlyMap<string, readonly ModuleImport[]>;

/** The modules that `starts` import, directly or through others, and themselves. */
export function reachedModules(starts: readonly string[], imports: Imports, options: { types: boolean }): Set<string> {
  const reached = new Set<string>();
  const open = [...starts];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file) || !imports.has(file)) continue;
    reached.add(file);
    for (const target of imports.get(file) ?? []) {
      if (target.file !== undefined && (options.types || !target.isTypeOnly)) open.push(target.file);
    }
  }
  return reached;
}

/** Every module below `src` of the packages of `root`, tests too, with what it imports. */
export async function readModuleGraph(root: string): Promise<ModuleGraph> {
  const packages = publishedPackages(root);
  const { output } = await cruise(
    packages.map(({ path }) => `${path}/src`),
    {
      baseDir: root,
      tsPreCompilationDeps: true,
      skipAnalysisNotInRules: true,
      doNotFollow: { path: 'node_modules' },
      enhancedResolveOptions: {
        exportsFields: ['exports'],
        conditionNames: ['@askema/source', 'types', 'import', 'node', 'default'],
      },
    },
    { extensions: ['.ts', '.d.ts', '.mjs', '.js', '.json'], bustTheCache: true },
  );
  if (typeof output === 'string') throw new Error(output);
  const packageOf = (file: string) => packages.find(({ path }) => file.startsWith(`${path}/src/`));
  const imports = new Map(
    output.modules
      .filter(({ source }) => packageOf(source) !== undefined)
      .map(({ source, dependencies }) => [
        source,
        dependencies.map(({ module, resolved, dependencyTypes }) => ({
          specifier: module,
          file: packageOf(resolved) === undefined ? undefined : resolved,
          isTypeOnly: dependencyTypes.some((type) => type === 'type-only' || type === 'type-import'),
        })),
      ]),
  );
  const sources = reachedModules(packages.flatMap(entryPoints), imports, { types: true });
  const modules = new Map<string, SourceModule>();
  for (const [file, found] of imports) {
    const owner = packageOf(file);
    if (owner) modules.set(file, { file, package: owner, isSource: sources.has(file), imports: found });
  }
  return { packages, modules };
}
