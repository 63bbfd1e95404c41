/** Whether a path or URL names a file in the language of GraphQL. */
export const isGraphql = (source: string): boolean => /\.(?:graphqls?|gql)$/i.test(source.replace(/[?#].*$/s, ""));
