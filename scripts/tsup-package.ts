import { defineConfig, type Options } from 'tsup';

/** The one build recipe of every package: ESM and source maps into dist. `write-declarations.ts` adds the types. */
export function definePackage(entry: readonly string[]): ReturnType<typeof defineConfig> {
  const options: Options = {
    entry: [...entry],
    format: ['esm'],
    target: 'node22',
    platform: 'node',
    sourcemap: true,
    clean: true,
    splitting: true,
  };
  return defineConfig(options);
}
