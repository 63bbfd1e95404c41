export const csvResponse = (name: string, text: string): Response =>
  new Response(text, {
    headers: { "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="${name}.csv"` },
  });
