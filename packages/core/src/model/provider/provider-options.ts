import { AskemaError } from '../../errors/askema-error.ts';
import { isLoopbackUrl } from './connection-failure.ts';

/** What every provider over HTTP is told, with its defaults filled in. */
interface ServerSettings {
  readonly model: string;
  /** Where the server's API begins. */
  readonly url: string;
  /** The whole call; `Infinity` means no deadline. */
  readonly timeoutMs: number;
}

/**
 * Checks what the types of a provider's options cannot. `example` is a base URL as it should look.
 *
 * @throws AskemaError `CONFIG_INVALID` for an empty model, a base URL that is not http or https, or a time limit that
 * is no time.
 */
export function checkServerSettings({ model, url, timeoutMs }: ServerSettings, example: string): void {
  if (typeof model !== 'string' || model.trim() === '')
    throw new AskemaError('CONFIG_INVALID', '`model` is empty. Name a model as its server names it.');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`baseURL\` is ${JSON.stringify(url)}; it must begin with http:// or https://, like ${example}.`,
    );
  if (!(timeoutMs > 0))
    throw new AskemaError('CONFIG_INVALID', `\`timeoutMs\` is ${timeoutMs}; give it a number of milliseconds above 0.`);
}

/**
 * The key to send, if there is one: that of the options, else that of the environment. The latter goes to the vendor
 * itself (`isVendor`) and to a remote server that the environment names, to no other.
 */
export function chooseApiKey(
  options: { readonly apiKey?: string | undefined; readonly baseURL?: string | undefined },
  server: { readonly url: string; readonly isVendor: boolean; readonly environmentKey: string | undefined },
): string | undefined {
  if (options.apiKey) return options.apiKey;
  const isMeantForIt = server.isVendor || (options.baseURL === undefined && !isLoopbackUrl(server.url));
  return isMeantForIt ? server.environmentKey || undefined : undefined;
}
