export const help = `offprint: export a documentation site (docs.json + MDX) to plain files that open anywhere

  offprint export <site>   write the bundle
  offprint check <site>    report what is wrong with the site, write nothing

Options of export
  -o, --output <dir>         folder of the bundle (default: offprint-out, unless only --archive is given)
  -a, --archive <file>       also pack it: file.zip, file.tar.gz
      --base-url <url>       the site's address, for canonical links, sitemap and feeds
      --paths <a,b>          only these pages

Options of both
      --deployment <where>   cloud (default), client-hosted, or air-gapped: what the site loads from other hosts
                             is an error then
      --strict               an error in the site fails the run; the previous output stays
      --concurrency <n>      pages rendered at once (default: the number of cores)
      --no-cache             highlight and draw everything anew
      --report <file.json>   write everything that was found as JSON
  -q, --quiet                print nothing but errors of the run
      --json                 print JSON lines
  -h, --help   -v, --version

Exit codes: 0 done, 1 the site has errors (with --strict, or nothing could be exported), 2 wrong usage,
            3 the surroundings failed (disk, permissions), 130 interrupted.
`;
