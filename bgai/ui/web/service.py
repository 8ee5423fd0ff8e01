"""What the routes work with."""

from dataclasses import dataclass

from fastapi import Request

from bgai.ui.web.engines import Workers
from bgai.ui.web.jobs import Jobs
from bgai.ui.web.limits import Limits
from bgai.ui.web.visitors import Visitor, Visitors
from bgai.ui.web.warmup import WarmUp


@dataclass
class Service:
    """The server's parts, one of each."""

    limits: Limits
    workers: Workers
    visitors: Visitors
    jobs: Jobs
    warm_up: WarmUp
    loopback_only: bool = True


def service(request: Request) -> Service:
    """The service of the application that got this request."""
    found: Service = request.app.state.service
    return found


def visitor(request: Request) -> Visitor:
    """Whoever asks."""
    return service(request).visitors.find(getattr(request.state, "visitor", None))
