export const help = `offprint: export a documentation site (docs.json + MDX) to plain files that open anywhere

  offprint export <site>   write the bundle
  offprint check <site>    report what is wrong with the site, write nothing
  offprint serve <bundle>  serve a bundle: its folder, its .tar.gz, a link to that, or a values file with the link
  offprint service         the export API and a worker in one process: nothing else to install
  offprint api | worker    the two apart, for many machines
  offprint site | key      the sites that the service exports, the keys of its clients

Options of export
  -o, --output <dir>         folder of the bundle (default: offprint-out, unless only --archive is given)
  -a, --archive <file>       also pack it: file.zip, file.tar.gz
      --base-url <url>       the site's address, for canonical links, sitemap and feeds
      --paths <a,b>          only these pages

Options of both
      --deployment <where>   cloud (default), client-hosted, or air-gapped: what the site loads from other hosts
                             is an error then
      --strict               an error in the site fails the run; the previous output stays
      --concurrency <n>      pages rendered at once (default: up to the number of cores)
      --no-cache             highlight and draw everything anew
      --report <file.json>   write everything that was found as JSON
  -q, --quiet                print nothing but errors of the run
      --json                 print JSON lines
  -h, --help   -v, --version

Options of serve
      --port <n>             (default: 8080; 0 is any free one)
      --host <address>       (default: 127.0.0.1; 0.0.0.0 is every network)
      --base-path </docs>    where the site stands below its host
      --data <dir>           where fetched bundles are kept, also for the next start
      --check-interval <s>   how often the source is looked at for a change (default: 10); SIGHUP fetches it anew
      --access-log           a line for each answer, on stdout

Commands and options of the service
  offprint service           --port <n> (default: 7070), --host <address> (127.0.0.1), --public-url <url>,
                             --concurrency <n> exports at once, --site <domain>=<folder> a site to begin with
  offprint api               --port, --host, --public-url
  offprint worker            --concurrency
  offprint site add <domain> --folder <dir>, or --git <url> with --ref <branch, tag or commit> and --subfolder <dir>;
                             --deployment <where>
  offprint site list [--json] | remove <domain> | secret <domain>   (secret: signs the webhooks of its jobs)
  offprint key create        --name <name>, --scope write|read, --expires 90d|<date>|never, --allow <address,range>,
                             --kind admin|assistant
  offprint key list [--json] | revoke <id>
      --organization <name>  whose sites and keys they are (default: default)
      --data <dir>           where all of it is kept (default: OFFPRINT_DATA, or a folder of your account)
  DATABASE_URL, OFFPRINT_S3_BUCKET   a PostgreSQL database and an S3 bucket in place of that folder

Exit codes: 0 done, 1 the site has errors (with --strict, or nothing could be exported), 2 wrong usage,
            3 the surroundings failed (disk, permissions), 130 interrupted.
`;
