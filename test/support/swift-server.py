"""OpenStack Swift with its S3 interface in one process, on free loopback ports. The argument is the folder of its data.
Prints the port of the S3 interface once it answers. Access key `test:tester`, secret `testing`."""
import os
import sys

import eventlet

eventlet.patcher.monkey_patch()

from eventlet import listen, spawn, wsgi
from swift.common import utils
from swift.common.http_protocol import SwiftHttpProtocol
from swift.common.ring import RingBuilder
from swift.common.wsgi import loadapp

folder = sys.argv[1]
devices = os.path.join(folder, "devices")
os.makedirs(os.path.join(devices, "d1", "tmp"))
# Only this process uses these servers, so the hash prefix need not be secret.
utils.HASH_PATH_PREFIX = utils.HASH_PATH_SUFFIX = b"offprint"


def serve(sock, kind, config):
    path = os.path.join(folder, kind + "-server.conf")
    with open(path, "w") as file:
        file.write(config)
    spawn(wsgi.server, sock, loadapp(path), utils.NullLogger(), protocol=SwiftHttpProtocol, log_output=False)


sockets = {kind: listen(("127.0.0.1", 0), backlog=256) for kind in ("account", "container", "object", "proxy")}
for kind in ("account", "container", "object"):
    ring = RingBuilder(1, 1, 0)
    port = sockets[kind].getsockname()[1]
    ring.add_dev(
        {"id": 0, "region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "d1", "weight": 1, "meta": "",
         "replication_ip": "127.0.0.1", "replication_port": port}
    )
    ring.rebalance()
    ring.get_ring().save(os.path.join(folder, kind + ".ring.gz"))

for kind in ("account", "container", "object"):
    serve(sockets[kind], kind, f"""
[DEFAULT]
swift_dir = {folder}
devices = {devices}
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
""")

filters = "catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo symlink".split()
names = {"cache": "memcache"}
serve(sockets["proxy"], "proxy", f"""
[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = {" ".join(filters)} proxy-server
""" + "".join(f"[filter:{name}]\nuse = egg:swift#{names.get(name, name)}\n" + {
    "s3api": "location = us-east-1\nauth_pipeline_check = false\n",
    "tempauth": "user_test_tester = testing .admin\n",
    "cache": "memcache_servers = 127.0.0.1:1\n",
}.get(name, "") for name in filters) + """
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
""")
print(sockets["proxy"].getsockname()[1], flush=True)
# Ends with the parent process.
eventlet.hubs.trampoline(sys.stdin.fileno(), read=True)
os._exit(0)
