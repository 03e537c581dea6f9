import type { NextConfig } from 'next';

/** Askema starts processes of its own from its files: they stay where they are, and are not bundled. */
const config: NextConfig = {
  serverExternalPackages: ['@askema/core', '@askema/lexical', '@askema/server', '@askema/sqlite'],
};

export default config;
