import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { definePackage } from '../../scripts/tsup-package.ts';

const yaml = dirname(createRequire(import.meta.url).resolve('yaml/package.json'));

// Its entry for Node is CommonJS and requires modules of Node, which an ESM bundle of esbuild cannot. The one for
// browsers is ESM and requires none, but no path of the package leads Node to it.
export default {
  ...definePackage(['src/index.ts', 'src/node.ts']),
  noExternal: ['yaml'],
  esbuildOptions: (options: { alias?: Record<string, string> }) => {
    options.alias = { ...options.alias, yaml: join(yaml, 'browser/index.js') };
  },
  onSuccess: async () => {
    await mkdir('dist', { recursive: true });
    await copyFile(join(yaml, 'LICENSE'), 'dist/yaml.LICENSE');
  },
};
