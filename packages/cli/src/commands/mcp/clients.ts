import type { McpClientName } from './mcp-command.ts';

/** How a client starts a server. */
interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

interface McpClient {
  /** Where its entry goes. */
  readonly file: string;
  configuration(name: string, entry: ServerEntry): object;
}

const named = (name: string, entry: ServerEntry): object => ({ mcpServers: { [name]: entry } });

export const CLIENTS: Readonly<Record<McpClientName, McpClient>> = {
  claude: {
    file: 'claude_desktop_config.json (Settings, Developer, Edit Config), or .mcp.json in the folder of a project',
    configuration: named,
  },
  cursor: { file: '~/.cursor/mcp.json, or .cursor/mcp.json in the folder of a project', configuration: named },
  vscode: {
    file: '.vscode/mcp.json',
    configuration: (name, entry) => ({ servers: { [name]: { type: 'stdio', ...entry } } }),
  },
};
