import { visibleText } from '../text/one-line.ts';
import type { Message, ModelRequest } from './language-model.ts';

/**
 * The request with no character in its texts that people do not see and a model reads: tags, zero-width and
 * bidirectional marks become escapes. What the model itself sent stays as it is.
 */
export function visibleRequest<Request extends Pick<ModelRequest, 'messages'>>(request: Request): Request {
  return { ...request, messages: request.messages.map(visibleMessage) };
}

function visibleMessage(message: Message): Message {
  switch (message.role) {
    case 'assistant':
      return message;
    case 'tool':
      return { ...message, content: message.content.map((part) => ({ ...part, text: visibleText(part.text) })) };
    default:
      return { ...message, content: message.content.map((part) => ({ ...part, text: visibleText(part.text) })) };
  }
}
