export function installPackages(
  folder: string,
  flags?: readonly string[],
): Promise<{ readonly python: string; readonly environment: NodeJS.ProcessEnv }>;
