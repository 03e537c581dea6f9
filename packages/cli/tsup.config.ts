import { copyFile } from 'node:fs/promises';
import { definePackage } from '../../scripts/tsup-package.ts';

const config = definePackage(['src/index.ts', 'src/main.ts']);

// Every start loads it. Within our own module it takes a third of the time that its seven files take.
export default {
  ...config,
  noExternal: ['commander'],
  onSuccess: () => copyFile('node_modules/commander/LICENSE', 'dist/commander.LICENSE'),
};
