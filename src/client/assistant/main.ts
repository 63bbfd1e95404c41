/** The panel of the assistant: a script of its own, loaded when a reader first opens it. */
import { type Conversation, createConversation } from "./conversation.js";

let conversation: Conversation | undefined;

window.offprintOpenAssistant = (host, { question, subject, toggle = false, again = false }) => {
  conversation ??= createConversation(host);
  if (toggle && conversation.isOpen()) return conversation.close();
  conversation.open(!again);
  if (subject) conversation.setSubject(subject);
  if (question) conversation.ask(question);
};
