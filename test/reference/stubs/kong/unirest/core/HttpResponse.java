package kong.unirest.core;

public class HttpResponse<T> {
  public T getBody() {
    return null;
  }
}
