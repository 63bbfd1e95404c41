// Bundles what runs in the reader's browser into dist/client: classic scripts and one minified style sheet.
