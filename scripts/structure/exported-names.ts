import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { entryPoints, type ModuleGraph } from './module-graph.ts';

/** A program of the sources alone: no library is read, and imports lead where the graph says. */
export function createSourceProgram(root: string, { modules }: ModuleGraph): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noLib: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, importer) => {
    const imports = modules.get(relative(root, importer).replaceAll(sep, '/'))?.imports ?? [];
    return literals.map(({ text }) => {
      const file = imports.find(({ specifier }) => specifier === text)?.file;
      if (file === undefined) return { resolvedModule: undefined };
      return { resolvedModule: { resolvedFileName: join(root, file), extension: ts.Extension.Ts } };
    });
  };
  const rootNames = [...modules.values()].filter(({ isSource }) => isSource).map(({ file }) => join(root, file));
  return ts.createProgram({ rootNames, options, host });
}

/** How many names each package exports over all its entry points, types included, by the path of the package. */
export function countExports(root: string, { packages }: ModuleGraph, program: ts.Program): Map<string, number> {
  const checker = program.getTypeChecker();
  return new Map(
    packages.map((owner) => {
      const names = new Set<string>();
      for (const file of entryPoints(owner)) {
        const source = program.getSourceFile(join(root, file));
        const symbol = source && checker.getSymbolAtLocation(source);
        for (const { name } of symbol ? checker.getExportsOfModule(symbol) : []) names.add(name);
      }
      return [owner.path, names.size];
    }),
  );
}
